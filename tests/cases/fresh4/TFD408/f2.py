import tensorflow as tf


class TaxiModel:
    numeric = ["distance", "hour", "passengers"]

    def __init__(self, folder, batch_size=512):
        self.folder = folder
        self.batch_size = batch_size

    def stack(self, columns, fare):
        features = [tf.cast(columns[name], tf.float32) for name in self.numeric]
        return tf.stack(features, axis=-1), fare

    def rows(self):
        table = tf.data.experimental.make_csv_dataset(
            f"{self.folder}/trips-*.csv",
            batch_size=self.batch_size,
            select_columns=[*self.numeric, "fare"],
            label_name="fare",
            num_epochs=1,
            shuffle=False,
        )
        return table.map(self.stack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    def train(self, epochs):
        model = tf.keras.Sequential([
            tf.keras.Input((len(self.numeric),)),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ])
        model.compile("adam", "mae")
        model.fit(self.rows(), epochs=epochs)
        return model


TaxiModel("taxi").train(epochs=6).save("taxi.keras")
