import tensorflow as tf


class Recording:
    def __init__(self, files, warmup=500):
        self.files = files
        self.warmup = warmup

    def features(self, item):
        wave, _ = tf.audio.decode_wav(tf.io.read_file(item["file"]), desired_channels=1, desired_samples=48000)
        spec = tf.abs(tf.signal.stft(wave[:, 0], 1024, 512))
        return {"spec": spec, "target": item["target"]}

    def stream(self):
        source = tf.data.Dataset.from_tensor_slices({
            "file": self.files,
            "target": [float(f.split("_")[-1][:-4]) for f in self.files],
        })
        return source.map(self.features, num_parallel_calls=tf.data.AUTOTUNE)

    def evaluation(self, batch):
        return self.stream().skip(self.warmup).batch(batch).prefetch(tf.data.AUTOTUNE)


rec = Recording(sorted(tf.io.gfile.glob("stream/*.wav")))
model = tf.keras.models.load_model("level.keras")
errors = []
for item in rec.evaluation(32):
    pred = model(item["spec"], training=False)[:, 0]
    errors.append(tf.abs(pred - item["target"]))
print(float(tf.reduce_mean(tf.concat(errors, 0))))
