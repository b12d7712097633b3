"""Attention's forward pass as Frank-Wolfe steps (arXiv 2508.09628): cells, rates, and the claims FW-1 to FW-13."""
