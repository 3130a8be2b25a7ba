import tensorflow as tf

from pipeline import NUMERIC, training_data, validation_data

BATCH_SIZE = 512


def build_model():
    inputs = {name: tf.keras.Input([], name=name) for name in (*NUMERIC, "speed")}
    x = tf.stack(list(inputs.values()), axis=-1)
    for units in (128, 128, 64):
        x = tf.keras.layers.Dense(units, activation="swish")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


if __name__ == "__main__":
    model = build_model()
    model.compile(optimizer="adam", loss=tf.keras.losses.Huber(), metrics=["mae"])
    model.fit(
        training_data("data/taxi/train-*.tfrecord", BATCH_SIZE),
        validation_data=validation_data("data/taxi/valid.tfrecord", BATCH_SIZE),
        epochs=25,
        callbacks=[tf.keras.callbacks.BackupAndRestore("backup")],
    )
    model.save("taxi_model")
