import tensorflow as tf


class DetectionDataset:
    """Reads the records of the object detection API and pads the boxes of a batch."""

    FEATURES = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
        "image/object/class/label": tf.io.VarLenFeature(tf.int64),
    }

    def __init__(self, path, image_size=512, batch_size=8, training=True):
        self.path = path
        self.image_size = image_size
        self.batch_size = batch_size
        self.training = training

    def _parse(self, record):
        example = tf.io.parse_single_example(record, self.FEATURES)
        image = tf.io.decode_jpeg(example["image/encoded"], channels=3)
        image = tf.image.resize(image, [self.image_size, self.image_size])
        corners = [
            tf.sparse.to_dense(example[f"image/object/bbox/{name}"]) for name in ("ymin", "xmin", "ymax", "xmax")
        ]
        boxes = tf.stack(corners, axis=-1) * self.image_size
        labels = tf.sparse.to_dense(example["image/object/class/label"])
        return image / 255.0, boxes, labels

    def build(self):
        dataset = tf.data.TFRecordDataset(self.path)
        if self.training:
            dataset = dataset.shuffle(512)
        dataset = dataset.map(self._parse)
        return dataset.padded_batch(
            self.batch_size,
            padded_shapes=([self.image_size, self.image_size, 3], [None, 4], [None]),
            padding_values=(0.0, 0.0, tf.constant(-1, tf.int64)),
        )


class Trainer:
    def __init__(self, model, learning_rate=1e-4):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(learning_rate)

    @tf.function
    def train_step(self, images, boxes, labels):
        with tf.GradientTape() as tape:
            centres, logits = self.model(images, training=True)
            mask = tf.cast(labels >= 0, tf.float32)
            count = tf.reduce_sum(mask, axis=-1, keepdims=True)
            target = tf.reduce_sum(boxes * mask[..., None], axis=1) / tf.maximum(count, 1.0)
            loss = tf.reduce_mean(tf.abs(centres - target))
            loss += tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(tf.minimum(count, 1.0), logits))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, path, epochs):
        dataset = DetectionDataset(path).build()
        for epoch in range(epochs):
            for step, (images, boxes, labels) in enumerate(dataset):
                loss = self.train_step(images, boxes, labels)
                if step % 100 == 0:
                    tf.print("epoch", epoch, "step", step, "loss", loss)


backbone = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(512, 512, 3))
heads = [tf.keras.layers.Dense(4)(backbone.output), tf.keras.layers.Dense(1)(backbone.output)]
trainer = Trainer(tf.keras.Model(backbone.input, heads))
trainer.train("data/coco_person.tfrecord", epochs=12)
