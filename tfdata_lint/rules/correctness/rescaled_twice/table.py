"""Networks of Keras that rescale their input. `python tests/project/rescaling.py` makes this file."""

from __future__ import annotations

RESCALING = frozenset({
    "ConvNeXtBase",
    "ConvNeXtLarge",
    "ConvNeXtSmall",
    "ConvNeXtTiny",
    "ConvNeXtXLarge",
    "EfficientNetB0",
    "EfficientNetB1",
    "EfficientNetB2",
    "EfficientNetB3",
    "EfficientNetB4",
    "EfficientNetB5",
    "EfficientNetB6",
    "EfficientNetB7",
    "EfficientNetV2B0",
    "EfficientNetV2B1",
    "EfficientNetV2B2",
    "EfficientNetV2B3",
    "EfficientNetV2L",
    "EfficientNetV2M",
    "EfficientNetV2S",
    "MobileNetV3Large",
    "MobileNetV3Small",
})  # fmt: skip
"""They take pixels from 0 to 255, and divide by themselves."""
