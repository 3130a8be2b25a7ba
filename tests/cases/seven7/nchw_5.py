"""KiTS kidney tumour segmentation, V-Net, one A100."""
import gin
import tensorflow as tf
from tensorflow.keras import layers


@gin.configurable
class KitsData:
    def __init__(self, pattern="/data/kits21/patch-*.tfrecord", batch=4, side=96, workers=16):
        self.pattern, self.batch, self.side, self.workers = pattern, batch, side, workers

    def _parse(self, rec):
        s = self.side
        ex = tf.io.parse_single_example(rec, {"ct": tf.io.FixedLenFeature([], tf.string),
                                              "seg": tf.io.FixedLenFeature([], tf.string)})
        ct = tf.reshape(tf.io.decode_raw(ex["ct"], tf.int16), [s, s, s, 1])
        seg = tf.reshape(tf.io.decode_raw(ex["seg"], tf.uint8), [s, s, s])
        ct = tf.clip_by_value(tf.cast(ct, tf.float32), -79.0, 304.0)
        ct = (ct - 101.0) / 76.9
        if tf.random.uniform([]) < 0.5:
            ct, seg = tf.reverse(ct, [2]), tf.reverse(seg, [2])
        return tf.transpose(ct, (3, 0, 1, 2)), seg

    def train(self):
        files = tf.data.Dataset.list_files(self.pattern)
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=self.workers,
                              num_parallel_calls=self.workers)
        ds = ds.shuffle(512).map(self._parse, num_parallel_calls=self.workers)
        return ds.batch(self.batch, drop_remainder=True).prefetch(4)


class VNet(tf.keras.Model):
    def __init__(self, classes, widths, data_format):
        super().__init__()
        kw = dict(padding="same", activation="relu", data_format=data_format)
        self.axis = 1 if data_format == "channels_first" else -1
        self.down = [layers.Conv3D(w, 3, **kw) for w in widths]
        self.pool = layers.MaxPool3D(data_format=data_format)
        self.up = [layers.Conv3DTranspose(w, 2, 2, **kw) for w in widths[-2::-1]]
        self.merge = [layers.Conv3D(w, 3, **kw) for w in widths[-2::-1]]
        self.head = layers.Conv3D(classes, 1, data_format=data_format)

    def call(self, x):
        skips = []
        for conv in self.down:
            x = conv(x)
            skips.append(x)
            x = self.pool(x)
        x = skips.pop()
        for up, merge in zip(self.up, self.merge):
            x = merge(tf.concat([up(x), skips.pop()], self.axis))
        return self.head(x)


@gin.configurable
def vnet(classes=4, widths=(16, 32, 64, 128), data_format="channels_first"):
    return VNet(classes, widths, data_format)


def dice_ce(y, logits):
    logits = tf.transpose(logits, [0, 2, 3, 4, 1])
    onehot = tf.one_hot(y, logits.shape[-1])
    p = tf.nn.softmax(logits)
    axes = [1, 2, 3]
    dice = 2 * tf.reduce_sum(p * onehot, axes) / (tf.reduce_sum(p + onehot, axes) + 1e-5)
    ce = tf.nn.softmax_cross_entropy_with_logits(onehot, logits)
    return tf.reduce_mean(ce) + 1.0 - tf.reduce_mean(dice)


@gin.configurable
def train(epochs=400, lr=1e-3):
    net = vnet()
    net.compile(tf.keras.optimizers.Adam(lr), loss=dice_ce)
    net.fit(KitsData().train(), epochs=epochs,
            callbacks=[tf.keras.callbacks.ModelCheckpoint("vnet.weights.h5", save_weights_only=True)])


if __name__ == "__main__":
    gin.parse_config_files_and_bindings(["kits.gin"], [], skip_unknown=True)
    train()
