from dataclasses import dataclass


@dataclass
class UNetConfig:
    train_files: str = "/data/kidney/train-*.tfrecord"
    depth: int = 4
    base_filters: int = 32
    size: int = 256
    channels: int = 1
    data_format: str = "channels_first"
    batch_size: int = 12
    epochs: int = 120
