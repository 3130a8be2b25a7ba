"""Traffic sign recogniser; trains NHWC on GPU and exports an NCHW-input ONNX graph for the car."""
import argparse

import tensorflow as tf
from tensorflow.keras import layers

AUTO = tf.data.AUTOTUNE
SIZE = 64


def check_layout():
    fmt = tf.keras.backend.image_data_format()
    if fmt == "channels_first":
        raise SystemExit("~/.keras/keras.json says channels_first; "
                         "set image_data_format to channels_last, it is faster on our cards")
    return fmt


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "crop": tf.io.FixedLenFeature([], tf.string),
        "sign": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.io.decode_jpeg(ex["crop"], channels=3)
    img = tf.image.resize(img, [SIZE, SIZE])
    img = tf.image.random_brightness(img, 30.0)
    return tf.clip_by_value(img, 0.0, 255.0) / 255.0, ex["sign"]


def signs(pattern, batch):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO)
    ds = ds.shuffle(50_000).map(parse, num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=True).prefetch(AUTO)


def network(classes, fmt):
    inp = x = tf.keras.Input([SIZE, SIZE, 3])
    for f in (32, 64, 128):
        x = layers.SeparableConv2D(f, 3, padding="same", data_format=fmt, use_bias=False)(x)
        x = layers.ReLU()(layers.BatchNormalization()(x))
        x = layers.MaxPool2D(data_format=fmt)(x)
    x = layers.GlobalAveragePooling2D(data_format=fmt)(x)
    return tf.keras.Model(inp, layers.Dense(classes, name="sign")(x))


def export(model, path):
    """The TensorRT plugin on the vehicle feeds planar images."""
    import tf2onnx
    spec = (tf.TensorSpec([1, SIZE, SIZE, 3], tf.float32, name="image"),)
    tf2onnx.convert.from_keras(model, input_signature=spec, opset=13,
                               inputs_as_nchw=["image"], output_path=path)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="/data/mapillary_signs/train-*.tfrecord")
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--classes", type=int, default=401)
    ap.add_argument("--onnx", default="")
    a = ap.parse_args()
    model = network(a.classes, check_layout())
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    model.fit(signs(a.data, a.batch), epochs=a.epochs)
    model.save("signs.keras")
    if a.onnx:
        export(model, a.onnx)


if __name__ == "__main__":
    main()
