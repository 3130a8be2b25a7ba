import tensorflow as tf

import transforms
from tensorflow.keras import layers


def coco(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2048)
    for transform in transforms.TRAIN:
        ds = ds.map(transform)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def detector(num_classes=80):
    image = layers.Input((transforms.SIDE, transforms.SIDE, 3))
    x = tf.keras.applications.ResNet50(include_top=False, weights=None)(image)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dense(1024, activation="relu")(x)
    boxes = layers.Reshape((transforms.MAX_BOXES, 4))(layers.Dense(transforms.MAX_BOXES * 4)(x))
    logits = layers.Reshape((transforms.MAX_BOXES, num_classes))(layers.Dense(transforms.MAX_BOXES * num_classes)(x))
    return tf.keras.Model(image, [boxes, logits])


model = detector()
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)


@tf.function
def train_step(images, targets):
    with tf.GradientTape() as tape:
        boxes, logits = model(images, training=True)
        mask = tf.cast(targets["classes"] >= 0, tf.float32)
        box_loss = tf.reduce_sum(tf.abs(boxes - targets["boxes"]), -1)
        cls_loss = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.maximum(targets["classes"], 0), logits)
        loss = tf.reduce_sum(mask * (box_loss + cls_loss)) / tf.maximum(tf.reduce_sum(mask), 1.0)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


dataset = coco("/data/coco/train-*.tfrecord", 16)
for epoch in range(24):
    for images, targets in dataset:
        loss = train_step(images, targets)
    print("epoch", epoch, "loss", loss.numpy())
