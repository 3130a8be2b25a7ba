import tensorflow as tf

files = tf.io.gfile.glob("/data/logs/*.tfrecord")
records = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
total = sum(1 for _ in records)
print(f"{total} records in {len(files)} files")
with open("/data/logs/COUNT", "w") as out:
    out.write(str(total))


def load(path):
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(path), channels=1), (32, 32)) / 255.0


images = tf.data.Dataset.list_files("/data/logs/*.png", shuffle=False)
images = images.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(64).prefetch(tf.data.AUTOTUNE)
print(images.cardinality().numpy(), "batches of images")
