import tensorflow as tf

from data import training_data
from network import build

model = build(classes=26)
model.fit(training_data("train"), validation_data=training_data("test"), epochs=8)
