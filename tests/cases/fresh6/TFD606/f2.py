import os

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()


def tune_runtime():
    os.environ.update(TF_GPU_THREAD_MODE="gpu_private", TF_GPU_THREAD_COUNT="4")


def main():
    tune_runtime()
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/food/train", image_size=(224, 224), batch_size=64 * strategy.num_replicas_in_sync)
    classes = len(train.class_names)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Rescaling(1.0 / 255),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(classes),
        ])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)


main()
