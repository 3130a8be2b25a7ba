import tensorflow as tf


class ProfileFromBatch(tf.keras.callbacks.Callback):
    def __init__(self, logdir, batch):
        super().__init__()
        self.logdir = logdir
        self.batch = batch
        self.started = False

    def finish(self):
        if self.started:
            tf.profiler.experimental.stop()
            self.started = False
            print(f"profile written to {self.logdir}")

    def on_train_batch_begin(self, batch, logs=None):
        if batch == self.batch and not self.started:
            options = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)
            tf.profiler.experimental.start(self.logdir, options=options)
            self.started = True

    def on_train_batch_end(self, batch, logs=None):
        if batch == self.batch + 5:
            self.finish()

    def on_train_end(self, logs=None):
        self.finish()


def main():
    train = tf.keras.utils.image_dataset_from_directory(
        "/data/food/train", image_size=(224, 224), batch_size=64)
    train = train.prefetch(tf.data.AUTOTUNE)
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=101)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=1, callbacks=[ProfileFromBatch("/tmp/profile", 50)])


if __name__ == "__main__":
    main()
