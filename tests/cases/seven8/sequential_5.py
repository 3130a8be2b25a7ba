"""RetinaNet on COCO: data.py + train.py folded together."""
import argparse

import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
    "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
    "image/object/class/label": tf.io.VarLenFeature(tf.int64),
}
MAX_BOXES = 100


def decode_coco(serialized):
    ex = tf.io.parse_single_example(serialized, FEATURES)
    image = tf.io.decode_jpeg(ex["image/encoded"], channels=3)
    boxes = tf.stack(
        [tf.sparse.to_dense(ex["image/object/bbox/" + k]) for k in ("ymin", "xmin", "ymax", "xmax")],
        axis=-1)
    labels = tf.sparse.to_dense(ex["image/object/class/label"])
    return image, boxes, labels


def letterbox(image, boxes, labels, size=640):
    hw = tf.cast(tf.shape(image)[:2], tf.float32)
    scale = size / tf.reduce_max(hw)
    image = tf.image.resize_with_pad(image, size, size)
    boxes = boxes * tf.concat([hw, hw], 0) * scale
    n = tf.minimum(tf.shape(boxes)[0], MAX_BOXES)
    boxes = tf.pad(boxes[:n], [[0, MAX_BOXES - n], [0, 0]])
    labels = tf.pad(labels[:n], [[0, MAX_BOXES - n]], constant_values=-1)
    boxes.set_shape([MAX_BOXES, 4])
    labels.set_shape([MAX_BOXES])
    return image / 255.0, {"boxes": boxes, "labels": labels}


def transform(dataset, fns, num_parallel_calls=None):
    """Applies a list of per-example functions in order."""
    for fn in fns:
        dataset = dataset.map(fn, num_parallel_calls=num_parallel_calls)
    return dataset


def make_dataset(pattern, batch_size, training):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=10, num_parallel_calls=10)
    if training:
        ds = ds.shuffle(2048).repeat()
    ds = transform(ds, [decode_coco, letterbox])
    ds = ds.batch(batch_size, drop_remainder=True)
    return ds.prefetch(tf.data.experimental.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default="/data/coco/tfrecord/train2017-*")
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--steps", type=int, default=90000)
    ap.add_argument("--model", default="/models/retinanet_init")
    args = ap.parse_args()
    model = tf.keras.models.load_model(args.model)
    opt = tf.keras.optimizers.SGD(0.01, momentum=0.9)

    @tf.function
    def train_step(images, targets):
        with tf.GradientTape() as tape:
            loss = model.compute_losses(images, targets)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = make_dataset(args.train, args.batch_size, True)
    for i, (images, targets) in enumerate(ds.take(args.steps)):
        loss = train_step(images, targets)
        if i % 100 == 0:
            print(i, float(loss))


if __name__ == "__main__":
    main()
