import tensorflow as tf


class Trainer:
    def __init__(self, files, epochs):
        self.epochs = epochs
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(1)])
        self.opt = tf.keras.optimizers.Adam()
        ds = tf.data.TFRecordDataset(files).shuffle(10000).repeat().batch(256)
        self.ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def parse(records):
        return tf.io.parse_example(records, {
            "x": tf.io.FixedLenFeature([20], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)})

    def run(self):
        for epoch in range(self.epochs):
            total = tf.keras.metrics.Mean()
            for batch in self.ds:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self.net(batch["x"])[:, 0] - batch["y"]) ** 2)
                grads = tape.gradient(loss, self.net.trainable_variables)
                self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
                total.update_state(loss)
            print(epoch, float(total.result()))


Trainer(sorted(tf.io.gfile.glob("bikes-*.rec")), epochs=8).run()
