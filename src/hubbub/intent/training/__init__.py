"""What only training needs, task intent."""
