"""Gradient-boosted trees: run by compiled code, trained with LightGBM."""
