import tensorflow as tf


class FeatureTrainer:
    """Linear probe on a frozen backbone."""

    side = 224

    def __init__(self, train_pattern, num_classes, epochs=100):
        self.train_pattern = train_pattern
        self.num_classes = num_classes
        self.epochs = epochs
        self.backbone = tf.keras.applications.ConvNeXtTiny(include_top=False, pooling="avg",
                                                           input_shape=(self.side, self.side, 3))
        self.backbone.trainable = False
        self.head = tf.keras.Sequential([tf.keras.Input((768,)), tf.keras.layers.Dense(num_classes)])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def decode(self, record):
        ex = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature([], tf.string),
                                                 "label": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_jpeg(ex["image"], channels=3)
        image = tf.image.resize(image, (self.side, self.side))
        return tf.cast(image, tf.uint8), ex["label"]

    def embed(self, images, labels):
        return self.backbone(tf.cast(images, tf.float32), training=False), labels

    def loader(self):
        shards = tf.data.Dataset.list_files(self.train_pattern, shuffle=False)
        ds = shards.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(64).cache("/scratch/probe/train")
        ds = ds.map(self.embed, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.unbatch().shuffle(10_000).batch(256).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, self.head(x, training=True)))
        weights = self.head.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def run(self):
        data = self.loader()
        for epoch in range(self.epochs):
            for x, y in data:
                loss = self.step(x, y)
            print(epoch, float(loss))


FeatureTrainer("/data/inat/train-*.tfrecord", 1010).run()
