"""What the two sides say to each other, how it travels, and how values and exceptions become data."""
