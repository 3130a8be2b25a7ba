import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

FRAMES, SIDE, ACTIONS = 16, 112, 101


def _decode_frame(buf):
    frame = tf.image.decode_jpeg(buf, channels=3)
    return tf.image.resize_images(frame, [SIDE, SIDE])


def clip_from_record(serialized):
    context, seq = tf.io.parse_single_sequence_example(
        serialized,
        context_features={"label": tf.io.FixedLenFeature([], tf.int64)},
        sequence_features={"frames": tf.io.FixedLenSequenceFeature([], tf.string)},
    )
    frames = tf.map_fn(_decode_frame, seq["frames"][:FRAMES], dtype=tf.float32)
    frames.set_shape([FRAMES, SIDE, SIDE, 3])
    return frames / 127.5 - 1.0, context["label"]


def inputs(files, batch_size):
    with tf.name_scope("input"):
        ds = tf.data.Dataset.from_tensor_slices(files)
        ds = ds.shuffle(len(files)).repeat()
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=4)
        ds = ds.shuffle(512)
        ds = ds.map(map_func=clip_from_record)
        ds = ds.batch(batch_size, drop_remainder=True)
        ds = ds.prefetch(4)
        return tf.data.make_one_shot_iterator(ds).get_next()


def logits_of(clips):
    w = tf.get_variable("w", [3, 7, 7, 3, 32])
    h = tf.nn.relu(tf.nn.conv3d(clips, w, [1, 2, 2, 2, 1], "SAME"))
    h = tf.reduce_mean(h, axis=[1, 2, 3])
    k = tf.get_variable("k", [32, ACTIONS])
    return tf.matmul(h, k)


def main(files):
    clips, labels = inputs(files, 12)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits_of(clips))
    step = tf.train.get_or_create_global_step()
    train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step)
    hooks = [tf.train.StopAtStepHook(last_step=50000)]
    with tf.train.MonitoredTrainingSession(checkpoint_dir="/tmp/ucf", hooks=hooks) as sess:
        while not sess.should_stop():
            sess.run([train, loss])


if __name__ == "__main__":
    main(sys.argv[1:])
