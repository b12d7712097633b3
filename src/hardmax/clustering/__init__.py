"""Clustering in pure-attention hardmax transformers (arXiv 2407.01602): ensembles, reviews, and the claims CL-1 to CL-6."""
