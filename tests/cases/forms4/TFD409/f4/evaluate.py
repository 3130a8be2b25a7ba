import tensorflow as tf

from dataset import reviews

model = tf.keras.models.load_model("sentiment.keras")
held_out = reviews("aclImdb/test", batch_size=100)

labels = tf.concat([y for _, y in held_out], axis=0)
scores = model.predict(held_out)[:, 0]

matched = tf.equal(tf.cast(scores > 0.5, tf.int32), labels)
print("accuracy", tf.reduce_mean(tf.cast(matched, tf.float32)).numpy())
