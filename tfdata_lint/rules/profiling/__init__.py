"""TFD5: code that profiles a training loop."""
