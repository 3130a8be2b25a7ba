import tensorflow as tf

from inputs import both

THRESHOLD = 0.95


class FixMatch(tf.keras.Model):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def call(self, images, training=False):
        return self.backbone(images, training=training)

    def train_step(self, data):
        (images, labels), (weak_images, strong_images) = data
        guesses = tf.nn.softmax(self(weak_images, training=False))
        mask = tf.cast(tf.reduce_max(guesses, axis=-1) > THRESHOLD, tf.float32)
        targets = tf.argmax(guesses, axis=-1)
        with tf.GradientTape() as tape:
            logits = self(images, training=True)
            supervised = self.compiled_loss(labels, logits)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, self(strong_images, training=True))
            loss = supervised + tf.reduce_mean(mask * losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.compiled_metrics.update_state(labels, logits)
        return {metric.name: metric.result() for metric in self.metrics}


backbone = tf.keras.applications.MobileNetV2(
    input_shape=(32, 32, 3), weights=None, classes=10, classifier_activation=None
)
model = FixMatch(backbone)
model.compile(
    optimizer=tf.keras.optimizers.SGD(0.03, momentum=0.9, nesterov=True),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
train_ds = both("data/stl/labelled", "data/stl/unlabelled", batch_size=64)
model.fit(train_ds, steps_per_epoch=1024, epochs=200, callbacks=[tf.keras.callbacks.TerminateOnNaN()])
backbone.save("fixmatch_backbone")
