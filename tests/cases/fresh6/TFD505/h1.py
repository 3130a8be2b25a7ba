import tensorflow as tf


class ProfileSteps(tf.keras.callbacks.Callback):
    def __init__(self, logdir, first, count=6):
        super().__init__()
        self.logdir = logdir
        self.first, self.last = first, first + count
        self.seen = 0

    def on_train_batch_begin(self, batch, logs=None):
        if self.seen == self.first:
            tf.profiler.experimental.start(self.logdir)

    def on_train_batch_end(self, batch, logs=None):
        self.seen += 1
        if self.seen == self.last:
            tf.profiler.experimental.stop()


train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=32)
classes = len(train.class_names)
train = train.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(classes),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=5, callbacks=[ProfileSteps("/logs/food", 100)])
