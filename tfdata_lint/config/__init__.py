"""What a run is told: settings, and the TensorFlow that the code is written for."""
