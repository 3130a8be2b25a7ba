"""BPR matrix factorisation with popularity-weighted negatives."""
import numpy as np
import scipy.sparse as sp
import tensorflow as tf


class TripleSampler:
    def __init__(self, interactions: sp.csr_matrix, alpha=0.75, seed=0):
        self.m = interactions
        pop = np.asarray(interactions.sum(0)).ravel() ** alpha
        self.p = pop / pop.sum()
        self.rng = np.random.default_rng(seed)

    def stream(self, negatives=4):
        coo = self.m.tocoo()
        for k in self.rng.permutation(coo.nnz):
            u, i = coo.row[k], coo.col[k]
            seen = set(self.m.indices[self.m.indptr[u]:self.m.indptr[u + 1]])
            neg = []
            while len(neg) < negatives:
                j = int(self.rng.integers(self.m.shape[1]))
                if j not in seen:
                    neg.append(j)
            yield {"user": u, "pos": i, "neg": neg}

    def to_tf(self, batch):
        sig = {"user": tf.TensorSpec((), tf.int32),
               "pos": tf.TensorSpec((), tf.int32),
               "neg": tf.TensorSpec((4,), tf.int32)}
        triples = tf.data.Dataset.from_generator(self.stream, output_signature=sig)
        return triples.batch(batch).prefetch(tf.data.AUTOTUNE)


class BPR(tf.keras.Model):
    def __init__(self, shape, dim=96):
        super().__init__()
        self.u = tf.keras.layers.Embedding(shape[0], dim)
        self.i = tf.keras.layers.Embedding(shape[1], dim)
        self.loss_avg = tf.keras.metrics.Mean("bpr")

    def train_step(self, b):
        with tf.GradientTape() as t:
            u = self.u(b["user"])
            pos = tf.reduce_sum(u * self.i(b["pos"]), -1, keepdims=True)
            neg = tf.einsum("bd,bnd->bn", u, self.i(b["neg"]))
            loss = -tf.reduce_mean(tf.math.log_sigmoid(pos - neg))
        g = t.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        self.loss_avg.update_state(loss)
        return {"bpr": self.loss_avg.result()}


if __name__ == "__main__":
    inter = sp.load_npz("/data/lastfm/plays_train.npz").tocsr()
    model = BPR(inter.shape)
    model.compile(tf.keras.optimizers.Adam(2e-3))
    model.fit(TripleSampler(inter).to_tf(8192), epochs=20)
