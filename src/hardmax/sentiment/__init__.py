"""The sentiment study (arXiv 2407.01602): a classifier trained on reviews, its leaders and its clusters."""
