import tensorflow as tf

TRAIN = "claps/train/*.wav"
TEST = "claps/test/*.wav"
CACHE_FILE = "/var/tmp/claps"


def wave(path):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1, desired_samples=16000)
    label = tf.strings.regex_full_match(path, ".*clap_.*")
    return audio, tf.cast(label, tf.float32)
