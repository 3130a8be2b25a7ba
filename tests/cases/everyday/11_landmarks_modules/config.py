from dataclasses import dataclass, field
from typing import Tuple


@dataclass(frozen=True)
class DataConfig:
    pattern: str = "gs://landmarks/v2/{split}-*.tfrecord"
    image_shape: Tuple[int, int] = (256, 256)
    batch_size: int = 64
    shuffle_buffer: int = 4096


@dataclass(frozen=True)
class TrainConfig:
    data: DataConfig = field(default_factory=DataConfig)
    epochs: int = 10
    learning_rate: float = 0.01
    num_classes: int = 1000
    log_dir: str = "runs/landmarks"
