"""SimCLR-like linear probe: feature extraction from 1.2M images, multi-tenant box."""
import functools
import logging

import tensorflow as tf

log = logging.getLogger(__name__)


class InputPipeline:
    """ImageNet-style folder reader with deterministic centre crops."""

    def __init__(self, root, image_size=224, batch_size=512):
        self.root = root
        self.image_size = image_size
        self.batch_size = batch_size
        self.files = sorted(tf.io.gfile.glob(f"{root}/*/*.JPEG"))
        wnids = sorted({f.split("/")[-2] for f in self.files})
        index = {w: i for i, w in enumerate(wnids)}
        self.targets = [index[f.split("/")[-2]] for f in self.files]
        log.info("found %d images, %d classes", len(self.files), len(wnids))

    @staticmethod
    def _load(path, target, size):
        data = tf.io.read_file(path)
        shape = tf.image.extract_jpeg_shape(data)
        side = tf.minimum(shape[0], shape[1])
        y, x = (shape[0] - side) // 2, (shape[1] - side) // 2
        img = tf.image.decode_and_crop_jpeg(data, tf.stack([y, x, side, side]), channels=3)
        img = tf.image.resize(img, [size, size], method="bicubic")
        return tf.clip_by_value(img / 255.0, 0.0, 1.0), target

    def _options(self):
        options = tf.data.Options()
        options.autotune.enabled = False
        options.deterministic = True
        return options

    def dataset(self):
        load = functools.partial(self._load, size=self.image_size)
        ds = tf.data.Dataset.from_tensor_slices((self.files, self.targets))
        ds = ds.shuffle(len(self.files))
        ds = ds.map(load)
        ds = ds.batch(self.batch_size)
        ds = ds.prefetch(4)
        return ds.with_options(self._options())


def linear_probe(encoder_path, root):
    encoder = tf.keras.models.load_model(encoder_path)
    encoder.trainable = False
    head = tf.keras.layers.Dense(1000)
    opt = tf.keras.optimizers.SGD(0.3, momentum=0.9)
    xent = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    acc = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(images, labels):
        feats = encoder(images, training=False)
        with tf.GradientTape() as tape:
            logits = head(feats)
            loss = xent(labels, logits)
        opt.apply_gradients(zip(tape.gradient(loss, head.trainable_variables),
                                head.trainable_variables))
        acc.update_state(labels, logits)
        return loss

    ds = InputPipeline(root).dataset()
    for epoch in range(30):
        acc.reset_state()
        for images, labels in ds:
            loss = step(images, labels)
        log.info("epoch %d loss %.3f acc %.4f", epoch, float(loss), float(acc.result()))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    linear_probe("/models/simclr_r50", "/data/imagenet/train")
