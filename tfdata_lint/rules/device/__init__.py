"""TFD6: data layout and work on the device."""
