"""Nodule detection: Trainer with a cached record source."""
import tensorflow as tf


class NoduleData:
    shape = (64, 64, 64)

    def __init__(self, conf):
        self.conf = conf

    def records(self, split):
        files = sorted(tf.io.gfile.glob(self.conf["shards"].format(split=split)))
        return tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)

    def volume(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "vol": tf.io.FixedLenFeature([], tf.string),
            "dims": tf.io.FixedLenFeature([3], tf.int64),
            "nodule": tf.io.FixedLenFeature([], tf.float32)})
        flat = tf.io.decode_raw(tf.io.decode_compressed(ex["vol"], "ZLIB"), tf.int16)
        vol = tf.cast(tf.reshape(flat, ex["dims"]), tf.float32)
        vol = tf.image.resize(vol, self.shape[:2])
        vol = tf.transpose(tf.image.resize(tf.transpose(vol, [2, 0, 1]), self.shape[:2]), [1, 2, 0])
        return tf.clip_by_value(vol / 1000.0, -1.0, 1.0)[:64, :64, :64], ex["nodule"]

    def get(self, split):
        ds = self.records(split)
        if self.conf["cache_dir"]:
            ds = ds.cache(f"{self.conf['cache_dir']}/{split}")
        ds = ds.map(self.volume, num_parallel_calls=tf.data.AUTOTUNE)
        if split == "train":
            ds = ds.shuffle(256)
        return ds.batch(self.conf["batch"]).prefetch(tf.data.AUTOTUNE)


class Trainer:
    def __init__(self, model, data, epochs):
        self.model, self.data, self.epochs = model, data, epochs
        self.opt = tf.keras.optimizers.Adam(1e-4)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.bce(y[:, None], self.model(x[..., None], training=True))
        g = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(g, self.model.trainable_variables))
        return loss

    def run(self):
        train = self.data.get("train")
        for e in range(self.epochs):
            for x, y in train:
                loss = self.step(x, y)
            tf.print("epoch", e, loss)


conf = {"shards": "/data/luna/{split}-*.tfrecord", "cache_dir": "/nvme/luna", "batch": 8}
net = tf.keras.Sequential([tf.keras.layers.Conv3D(16, 5, 2, activation="relu"),
                           tf.keras.layers.Conv3D(32, 3, 2, activation="relu"),
                           tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
Trainer(net, NoduleData(conf), epochs=120).run()
