"""TFD7: deprecated and removed names."""
