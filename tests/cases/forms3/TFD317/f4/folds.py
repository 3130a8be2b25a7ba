import tensorflow as tf

from loader import decoded

K = 5
everything, size = decoded("moles")
fold = size // K

for k in range(K):
    val = everything.skip(k * fold).take(fold).batch(32).prefetch(tf.data.AUTOTUNE)
    model = tf.keras.models.load_model(f"models/fold{k}.keras")
    loss, acc = model.evaluate(val, verbose=0)
    print(f"fold {k}: {loss:.3f} {acc:.3f}")
