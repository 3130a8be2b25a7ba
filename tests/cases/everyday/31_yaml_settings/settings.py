import os

import yaml

DEFAULTS = {"image_size": 224, "batch_size": 32, "epochs": 30, "lr": 0.001, "flip": True, "buffer": 2000}


def load_settings(path="settings.yaml"):
    settings = dict(DEFAULTS)
    if os.path.exists(path):
        with open(path) as stream:
            settings.update(yaml.safe_load(stream) or {})
    return settings
