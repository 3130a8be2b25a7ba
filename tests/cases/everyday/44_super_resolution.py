import argparse
import os

import tensorflow as tf

parser = argparse.ArgumentParser(description="Super resolution with sub-pixel convolutions")
parser.add_argument("--data", default="data/bsds500")
parser.add_argument("--epochs", type=int, default=100)
options = parser.parse_args()

UPSCALE = 3
CROP = 300
BATCH_SIZE = 32


def process(path):
    image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, [CROP, CROP])
    luma = tf.image.rgb_to_yuv(image)[..., :1]
    small = tf.image.resize(luma, [CROP // UPSCALE, CROP // UPSCALE], method="area")
    return small, luma


def get_files(split):
    folder = os.path.join(options.data, split)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".jpg")]


train_ds = tf.data.Dataset.from_tensor_slices(get_files("train"))
train_ds = train_ds.shuffle(500)
train_ds = train_ds.map(process, num_parallel_calls=1)
train_ds = train_ds.batch(BATCH_SIZE)
train_ds = train_ds.prefetch(buffer_size=BATCH_SIZE)

test_files = get_files("test")


def get_model():
    settings = {"activation": "relu", "kernel_initializer": "orthogonal", "padding": "same"}
    inputs = tf.keras.Input((None, None, 1))
    x = tf.keras.layers.Conv2D(64, 5, **settings)(inputs)
    x = tf.keras.layers.Conv2D(64, 3, **settings)(x)
    x = tf.keras.layers.Conv2D(32, 3, **settings)(x)
    x = tf.keras.layers.Conv2D(UPSCALE**2, 3, **settings)(x)
    return tf.keras.Model(inputs, tf.nn.depth_to_space(x, UPSCALE))


class Psnr(tf.keras.callbacks.Callback):
    def __init__(self, path):
        super().__init__()
        self.small, self.luma = process(path)

    def on_epoch_end(self, epoch, logs=None):
        predicted = self.model.predict(self.small[None], verbose=0)
        value = tf.image.psnr(tf.clip_by_value(predicted[0], 0.0, 1.0), self.luma, max_val=1.0)
        print(f" psnr of the test image: {value:.2f} dB")


model = get_model()
model.compile(optimizer=tf.keras.optimizers.Adam(0.001), loss="mse")
model.fit(train_ds, epochs=options.epochs, callbacks=[Psnr(test_files[0])], verbose=2)
model.save("espcn.h5")
