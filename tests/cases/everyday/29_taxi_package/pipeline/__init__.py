from .features import LABEL, NUMERIC
from .readers import training_data, validation_data

__all__ = ["LABEL", "NUMERIC", "training_data", "validation_data"]
