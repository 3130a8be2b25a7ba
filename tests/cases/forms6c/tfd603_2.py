import dataclasses

import keras
import tensorflow as tf


@dataclasses.dataclass
class LoggingConfig:
    log_dir: str = "/logs/unet"
    update_freq: str | int = "batch"
    histogram_freq: int = 0


def build_callbacks(cfg: LoggingConfig):
    return [
        keras.callbacks.ModelCheckpoint(f"{cfg.log_dir}/last.keras"),
        keras.callbacks.TensorBoard(
            log_dir=cfg.log_dir,
            histogram_freq=cfg.histogram_freq,
            update_freq=cfg.update_freq,
            profile_batch=0,
        ),
        keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=3),
    ]


def load_pair(image_path, mask_path):
    image = tf.io.decode_png(tf.io.read_file(image_path), channels=3)
    mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
    image = tf.ensure_shape(image, [256, 256, 3])
    return tf.cast(image, tf.float32) / 255.0, tf.ensure_shape(mask, [256, 256, 1])


def pairs(images, masks, batch_size):
    ds = tf.data.Dataset.from_tensor_slices((images, masks)).shuffle(len(images))
    ds = ds.map(load_pair, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def train(images, masks, logging=LoggingConfig()):
    model = keras.Sequential([
        keras.Input((256, 256, 3)),
        keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
        keras.layers.Conv2D(64, 3, padding="same", strides=2, activation="relu"),
        keras.layers.Conv2DTranspose(8, 4, padding="same", strides=2),
    ])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(pairs(images, masks, 32), epochs=100, callbacks=build_callbacks(logging))
    return model
