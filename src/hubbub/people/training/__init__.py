"""What only training needs, task people."""
