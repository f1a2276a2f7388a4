"""What only training needs, task answer."""
