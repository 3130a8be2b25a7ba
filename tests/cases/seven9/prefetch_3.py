"""CenterNet-style detector training on COCO (custom loop)."""
import dataclasses
import pathlib

import tensorflow as tf


@dataclasses.dataclass
class Config:
    root: str = '/datasets/coco/tfrecords'
    image_size: int = 512
    batch_size: int = 32
    shuffle: int = 4096
    lr: float = 2.5e-4
    epochs: int = 140
    num_classes: int = 80


SPEC = {
    'image': tf.io.FixedLenFeature([], tf.string),
    'heatmap': tf.io.FixedLenFeature([], tf.string),
    'wh': tf.io.FixedLenFeature([], tf.string),
}


class CenterTrainer:

    def __init__(self, cfg):
        self.cfg = cfg
        self.model = self.build_model()
        self.optimizer = tf.keras.optimizers.Adam(cfg.lr)

    def build_model(self):
        size = self.cfg.image_size
        backbone = tf.keras.applications.ResNet101(
            include_top=False, input_shape=(size, size, 3))
        x = backbone.output
        for filters in (256, 128, 64):
            x = tf.keras.layers.Conv2DTranspose(filters, 4, 2, 'same')(x)
            x = tf.keras.layers.ReLU()(x)
        hm = tf.keras.layers.Conv2D(self.cfg.num_classes, 1)(x)
        wh = tf.keras.layers.Conv2D(2, 1)(x)
        return tf.keras.Model(backbone.input, [hm, wh])

    def _parse(self, record):
        f = tf.io.parse_single_example(record, SPEC)
        size, out = self.cfg.image_size, self.cfg.image_size // 4
        image = tf.io.decode_jpeg(f['image'], channels=3)
        image = tf.image.resize(image, (size, size)) / 255.0
        hm = tf.reshape(tf.io.decode_raw(f['heatmap'], tf.float32),
                        (out, out, self.cfg.num_classes))
        wh = tf.reshape(tf.io.decode_raw(f['wh'], tf.float32), (out, out, 2))
        return image, hm, wh

    def dataset(self):
        files = [str(p) for p in pathlib.Path(self.cfg.root).glob('train*')]
        ds = tf.data.TFRecordDataset(
            files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(self.cfg.shuffle)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.cfg.batch_size, drop_remainder=True)
        ds.prefetch(tf.data.AUTOTUNE)
        return ds

    @tf.function
    def step(self, image, hm, wh):
        with tf.GradientTape() as tape:
            p_hm, p_wh = self.model(image, training=True)
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(hm, p_hm))
            loss += 0.1 * tf.reduce_mean(tf.abs(wh - p_wh))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(
            zip(grads, self.model.trainable_variables))
        return loss

    def train(self):
        ds = self.dataset()
        for epoch in range(self.cfg.epochs):
            for image, hm, wh in ds:
                loss = self.step(image, hm, wh)
            print('epoch', epoch, 'loss', float(loss))
            self.model.save_weights('ckpt/centernet_%03d' % epoch)


if __name__ == '__main__':
    CenterTrainer(Config()).train()
