"""Fine-tune a classifier on product photos packed in TFRecord shards."""
import argparse
import os

import tensorflow as tf


class ShardTrainer:
    FEATURES = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, args):
        self.args = args
        self.model = self._build_model()

    def _build_model(self):
        base = tf.keras.applications.ResNet50(include_top=False, pooling="avg", weights=None)
        head = tf.keras.layers.Dense(self.args.num_classes)
        model = tf.keras.Sequential([base, head])
        model.compile(
            optimizer=tf.keras.optimizers.SGD(self.args.lr, momentum=0.9),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
        return model

    def _random_crop(self, serialized):
        parsed = tf.io.parse_single_example(serialized, self.FEATURES)
        shape = tf.io.extract_jpeg_shape(parsed["image/encoded"])
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            shape, tf.zeros([1, 0, 4]), area_range=(0.1, 1.0), use_image_if_no_bounding_boxes=True)
        window = tf.stack([begin[0], begin[1], size[0], size[1]])
        image = tf.image.decode_and_crop_jpeg(parsed["image/encoded"], window, channels=3)
        image = tf.image.resize(image, [224, 224])
        return image, parsed["image/class/label"]

    def _train_loader(self):
        shards = tf.data.Dataset.list_files(os.path.join(self.args.data_dir, "train-*"), shuffle=True)
        records = shards.interleave(
            tf.data.TFRecordDataset, cycle_length=16,
            num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        records = records.shuffle(8192).repeat()
        examples = records.map(self._random_crop, num_parallel_calls=tf.data.AUTOTUNE)
        return examples.batch(self.args.batch_size, drop_remainder=True)

    def run(self):
        self.model.fit(
            self._train_loader(),
            epochs=self.args.epochs,
            steps_per_epoch=self.args.train_images // self.args.batch_size,
            callbacks=[tf.keras.callbacks.TensorBoard(self.args.model_dir)],
        )
        self.model.save_weights(os.path.join(self.args.model_dir, "final"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data_dir", required=True)
    parser.add_argument("--model_dir", default="/tmp/products")
    parser.add_argument("--batch_size", type=int, default=256)
    parser.add_argument("--num_classes", type=int, default=1200)
    parser.add_argument("--train_images", type=int, default=2_400_000)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--lr", type=float, default=0.1)
    ShardTrainer(parser.parse_args()).run()
