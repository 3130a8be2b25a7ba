"""Training with a diagnostics callback (memory, learning rate, profile)."""
import tensorflow as tf


class Diagnostics(tf.keras.callbacks.Callback):
    def __init__(self, logdir, profile_step=200):
        super().__init__()
        self.logdir = logdir
        self.profile_step = profile_step
        self.seen = 0
        self.writer = tf.summary.create_file_writer(logdir + "/diag")

    def on_train_batch_begin(self, batch, logs=None):
        if self.seen == self.profile_step:
            tf.profiler.experimental.start(self.logdir)
        self.seen += 1

    def on_epoch_end(self, epoch, logs=None):
        with self.writer.as_default(step=epoch):
            tf.summary.scalar("lr", self.model.optimizer.learning_rate)
            for gpu in tf.config.list_logical_devices("GPU"):
                info = tf.config.experimental.get_memory_info(gpu.name.replace("/device:", ""))
                tf.summary.scalar("peak_bytes", info["peak"])

    def on_train_end(self, logs=None):
        self.writer.close()


class PlantData:
    def __init__(self, root, batch):
        self.root, self.batch = root, batch

    def load(self, path, label):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [224, 224]) / 127.5 - 1.0, label

    def train(self):
        names = sorted(tf.io.gfile.listdir(self.root))
        files = [(f, i) for i, n in enumerate(names) for f in tf.io.gfile.glob(f"{self.root}/{n}/*.jpg")]
        ds = tf.data.Dataset.from_tensor_slices(([f for f, _ in files], [i for _, i in files]))
        ds = ds.shuffle(len(files)).map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE), len(names)


def main():
    train, classes = PlantData("/data/plantnet/train", 64).train()
    model = tf.keras.applications.ResNet50V2(weights=None, classes=classes)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, epochs=30, callbacks=[Diagnostics("/logs/plants")])


if __name__ == "__main__":
    main()
