"""Train ResNet-50 on ImageNet TFRecords with Keras."""
import argparse
import os

import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE
MEAN_RGB = [123.68, 116.779, 103.939]

FEATURES = {
    'image/encoded': tf.io.FixedLenFeature([], tf.string),
    'image/class/label': tf.io.FixedLenFeature([], tf.int64),
}


def parse_record(serialized, training):
    ex = tf.io.parse_single_example(serialized, FEATURES)
    label = tf.cast(ex['image/class/label'], tf.int32) - 1
    image = tf.io.decode_jpeg(ex['image/encoded'], channels=3)
    image = tf.image.resize(image, [256, 256])
    if training:
        image = tf.image.random_crop(image, [224, 224, 3])
        image = tf.image.random_flip_left_right(image)
    else:
        image = tf.image.resize_with_crop_or_pad(image, 224, 224)
    return image - MEAN_RGB, label


def input_fn(data_dir, training, batch_size):
    pattern = os.path.join(data_dir, 'train-*' if training else 'validation-*')
    dataset = tf.data.Dataset.list_files(pattern, shuffle=training)
    dataset = dataset.interleave(
        lambda f: tf.data.TFRecordDataset(f, buffer_size=8 << 20),
        cycle_length=16, num_parallel_calls=AUTOTUNE)
    if training:
        dataset = dataset.shuffle(10000).repeat()
    dataset = dataset.map(lambda s: parse_record(s, training),
                          num_parallel_calls=AUTOTUNE)
    dataset = dataset.batch(batch_size, drop_remainder=training)
    return dataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--data_dir', required=True)
    parser.add_argument('--model_dir', default='/tmp/resnet50')
    parser.add_argument('--batch_size', type=int, default=256)
    parser.add_argument('--epochs', type=int, default=90)
    args = parser.parse_args()

    train_ds = input_fn(args.data_dir, True, args.batch_size)
    val_ds = input_fn(args.data_dir, False, args.batch_size)

    model = tf.keras.applications.ResNet50(weights=None, classes=1000)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(),
        metrics=['accuracy'])
    model.fit(train_ds,
              epochs=args.epochs,
              steps_per_epoch=1281167 // args.batch_size,
              validation_data=val_ds,
              callbacks=[tf.keras.callbacks.ModelCheckpoint(args.model_dir)])


if __name__ == '__main__':
    main()
