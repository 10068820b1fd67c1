"""Programs with sequences."""
import copy
import math

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_plain import (Plain, adamw, last, learn, opts_of, options,
                            program, sgd, weights)

WORDS, WIDTH, LENGTH = 40, 32, 12


class Attention(nn.Module):
    """Several heads, as public programs write them."""

    def __init__(self, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH,
                                                                    WIDTH)

    def forward(self, x, mask):
        batch, length, _ = x.shape
        q, k, v = (each.view(batch, length, self.heads, -1).transpose(1, 2)
                   for each in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + mask
        y = scores.softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, WIDTH))


class Layer(nn.Module):
    """One of a transformer."""

    def __init__(self):
        super().__init__()
        self.attention = Attention()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.inner = nn.Sequential(nn.Linear(WIDTH, 64), nn.GELU(),
                                   nn.Linear(64, WIDTH))

    def forward(self, x, mask):
        x = self.norms[0](x + self.attention(x, mask))
        return self.norms[1](x + self.inner(x))


class Bert(nn.Module):
    """Masked words, and which sentence is next: two losses of one."""

    def __init__(self, layers=2):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH, padding_idx=0)
        self.places = nn.Embedding(LENGTH, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.pool, self.next = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2)
        self.head = nn.Linear(WIDTH, WORDS)
        self.head.weight = self.words.weight

    def forward(self, words, kinds, mask, places, labels, follows):
        with poptorch.Block("embeddings", ipu_id=0):
            x = self.norm(self.words(words) + self.kinds(kinds) +
                          self.places(torch.arange(LENGTH)))
            hidden = (1 - mask[:, None, None].to(x.dtype)) * -10000.
        for number, layer in enumerate(self.layers):
            with poptorch.Block(f"layer {number}", ipu_id=number + 1):
                x = layer(x, hidden)
        with poptorch.Block("heads", ipu_id=3):
            chosen = x.gather(1, places[..., None].expand(-1, -1, WIDTH))
            scores = self.head(chosen)
            first = F.cross_entropy(scores.view(-1, WORDS).float(),
                                    labels.view(-1), ignore_index=-100)
            follow = self.next(torch.tanh(self.pool(x[:, 0])))
            second = F.cross_entropy(follow.float(), follows)
            return scores.argmax(-1), poptorch.identity_loss(
                first + second, reduction="none")


def sentences(count, batch):
    """Words, kinds, mask, masked places, their words, and what follows."""
    for _ in range(count):
        words = torch.randint(1, WORDS, (batch, LENGTH))
        kinds = (torch.arange(LENGTH) > LENGTH // 2).long().expand(batch, -1)
        mask = (torch.rand(batch, LENGTH) > .2).long()
        places = torch.rand(batch, LENGTH).argsort(1)[:, :3]
        labels = words.gather(1, places)
        labels[:, 2] = -100
        yield (words.scatter(1, places, 1), kinds.contiguous(), mask, places,
               labels, torch.randint(2, (batch,)))


@program("BERT, half", "pipeline of 4 IPUs, loss scaling 500, tied", 5e-3)
def bert():
    return learn(Bert().half(), list(sentences(4, 16)), *adamw(
        weight_decay=.01, eps=1e-5, loss_scaling=500.,
        first_order_momentum_accum_type=torch.float,
        second_order_momentum_accum_type=torch.float), opts_of(1, 8))


@program("BERT, replicas", "2 replicas x 4 IPUs, accumulation 8")
def bert_replicas():
    return learn(Bert(), list(sentences(2, 32)), *adamw(weight_decay=.01),
                 opts_of(1, 8, 2))


class Gpt(nn.Module):
    """A decoder whose labels are its next words."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Parameter(torch.randn(LENGTH, WIDTH) * .02)
        self.layers = nn.ModuleList(Layer() for _ in range(2))
        self.register_buffer("mask", torch.full(
            (LENGTH, LENGTH), -10000.).triu(1), persistent=False)

    def forward(self, words):
        x = self.words(words) + self.places
        for layer in self.layers:
            x = poptorch.recomputationCheckpoint(layer(x, self.mask))
        scores = poptorch.serializedMatMul(
            x, self.words.weight.t(),
            poptorch.MatMulSerializationMode.OutputChannels, 4)
        loss = F.cross_entropy(scores[:, :-1].reshape(-1, WORDS),
                               words[:, 1:].reshape(-1))
        return scores, loss


def text(count, batch):
    return [(torch.randint(WORDS, (batch, LENGTH)),) for _ in range(count)]


@program("GPT decoder", "serialized product, recomputation")
def gpt():
    return learn(Gpt(), text(5, 8), *adamw(betas=(.9, .95)), opts_of(1, 2))


@program("GPT, generation", "one call for each word, inference")
def generate():
    model = Gpt().eval()
    opts = options()
    on_ipu = poptorch.inferenceModel(model, opts)
    found = []
    for run in (on_ipu, model):
        words = torch.zeros(2, LENGTH, dtype=torch.long)
        for place in range(LENGTH - 1):
            scores = run(words)[0]
            words[:, place + 1] = scores[:, place].topk(2)[1][:, 1]
        found.append((words.float(), scores))
    return zip(*found)


class Translator(nn.Module):
    """Words of one language, one after another, and attention to them."""

    def __init__(self):
        super().__init__()
        self.one, self.other = (nn.Embedding(WORDS, 16) for _ in range(2))
        self.encoder = nn.GRU(16, WIDTH, batch_first=True)
        self.decoder = nn.GRU(16, WIDTH, batch_first=True)
        self.out = nn.Linear(2 * WIDTH, WORDS)

    def forward(self, given, wanted):
        found, state = self.encoder(self.one(given))
        before = F.pad(wanted[:, :-1], (1, 0))
        steps, _ = self.decoder(self.other(before), state)
        seen = (steps @ found.transpose(1, 2)).softmax(-1) @ found
        scores = self.out(torch.cat([steps, seen], -1))
        return scores, F.cross_entropy(scores.transpose(1, 2), wanted,
                                       ignore_index=0)


@program("seq2seq", "GRUs with attention, padding ignored")
def translate():
    batches = [(torch.randint(WORDS, (8, 9)), torch.randint(WORDS, (8, 7)))
               for _ in range(4)]
    return learn(Translator(), batches, *adamw())


@program("Transformer", "encoder and decoder, causal mask")
def transformer():
    class Whole(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(WORDS, WIDTH)
            self.body = nn.Transformer(WIDTH, 4, 1, 1, 64, dropout=0.,
                                       batch_first=True)
            self.out = nn.Linear(WIDTH, WORDS)
            self.register_buffer(
                "mask", nn.Transformer.generate_square_subsequent_mask(7),
                persistent=False)

        def forward(self, given, wanted):
            y = self.body(self.words(given), self.words(
                F.pad(wanted[:, :-1], (1, 0))), tgt_mask=self.mask)
            scores = self.out(y)
            return scores, F.cross_entropy(scores.reshape(-1, WORDS),
                                           wanted.reshape(-1))
    batches = [(torch.randint(WORDS, (8, 9)), torch.randint(WORDS, (8, 7)))
               for _ in range(4)]
    return learn(Whole(), batches, *sgd())


class Letters(nn.Module):
    """An LSTM."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, 16)
        self.lstm = nn.LSTM(16, WIDTH, batch_first=True)
        self.out = nn.Linear(WIDTH, WORDS)

    def forward(self, words, state, cell):
        y, (state, cell) = self.lstm(self.words(words[:, :-1]),
                                     (state, cell))
        chances = F.log_softmax(self.out(y), -1)
        return state, cell, F.nll_loss(chances.transpose(1, 2), words[:, 1:])


@program("LSTM", "states from call to call, nll_loss")
def letters():
    model = Letters()
    plain = copy.deepcopy(model)
    found = []
    for each in (model, plain):
        optimizer = torch.optim.SGD(each.parameters(), lr=.5)
        trainer = each if each is plain else poptorch.trainingModel(
            each, options(), optimizer)
        torch.manual_seed(6)
        state, cell = torch.zeros(1, 8, WIDTH), torch.zeros(1, 8, WIDTH)
        losses = []
        for words, in text(5, 8):
            state, cell, loss = trainer(words, state.detach(), cell.detach())
            losses.append(loss.detach().reshape(()))
            if each is plain:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        found.append((torch.stack(losses), weights(each)))
    return zip(*found)


class Near(nn.Module):
    """Skip-gram with words that are not near."""

    def __init__(self):
        super().__init__()
        self.word, self.near = (nn.Embedding(WORDS, 8) for _ in range(2))

    def forward(self, word, near, far):
        word = self.word(word)[..., None]
        good = F.logsigmoid(self.near(near)[:, None] @ word)
        bad = F.logsigmoid(-(self.near(far) @ word)).sum(1)
        return poptorch.identity_loss(-(good.squeeze(1) + bad), "mean")


@program("word2vec", "negative samples, 50 iterations a call")
def word2vec():
    model, rows = Near(), 50 * 4
    batches = [(torch.randint(WORDS, (rows,)), torch.randint(WORDS, (rows,)),
                torch.randint(WORDS, (rows, 5))) for _ in range(2)]
    return learn(model, batches, *sgd(lr=.2), opts_of(50))


class Speech(nn.Module):
    """Frames to letters, by CTC."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(8, 16, 3, padding=1), nn.ReLU(),
                                 nn.Conv1d(16, 6, 3, padding=1))
        self.loss = nn.CTCLoss(reduction="mean")

    def forward(self, sound, letters, frames, lengths):
        chances = self.net(sound).permute(2, 0, 1).log_softmax(-1)
        return chances, self.loss(chances, letters, frames, lengths)


@program("speech", "CTC loss, convolutions of one dimension")
def speech():
    batches = [(torch.randn(4, 8, 20), torch.randint(1, 6, (4, 5)),
                torch.full((4,), 20), torch.tensor([5, 3, 4, 2]))
               for _ in range(4)]
    model = Speech()
    plain = copy.deepcopy(model)
    trainer = poptorch.trainingModel(model, options(), torch.optim.Adam(
        model.parameters(), lr=.01))
    got = torch.stack([trainer(*batch)[1].reshape(()) for batch in batches])
    reference = Plain(plain, torch.optim.Adam(plain.parameters(), lr=.01))
    return [(got, torch.cat([reference(*batch) for batch in batches])),
            (weights(model), weights(plain))]


class Pairs(nn.Module):
    """Pictures and their texts find each other."""

    def __init__(self):
        super().__init__()
        self.see, self.read = nn.Linear(24, 16), nn.Embedding(WORDS, 16)
        self.scale = nn.Parameter(torch.tensor(1.))

    def forward(self, pictures, words):
        one = F.normalize(self.see(pictures), dim=-1)
        other = F.normalize(self.read(words).mean(1), dim=-1)
        scores = self.scale.exp() * one @ other.t()
        right = torch.arange(scores.shape[0])
        return scores, poptorch.identity_loss(
            (F.cross_entropy(scores, right) +
             F.cross_entropy(scores.t(), right)) / 2, "none")


@program("CLIP", "two towers, arange in forward")
def clip():
    batches = [(torch.randn(8, 24), torch.randint(WORDS, (8, 6)))
               for _ in range(4)]
    return learn(Pairs(), batches, *adamw())


class Student(nn.Module):
    """Learns from a teacher that does not learn."""

    def __init__(self):
        super().__init__()
        self.teacher, self.student = (
            nn.Sequential(nn.Embedding(WORDS, 16), nn.Flatten(),
                          nn.Linear(16 * LENGTH, 5)) for _ in range(2))

    def forward(self, words, labels):
        with torch.no_grad():
            wanted = F.softmax(self.teacher(words) / 2, -1)
        scores = self.student(words)
        soft = F.kl_div(F.log_softmax(scores / 2, -1), wanted,
                        reduction="batchmean")
        return scores, poptorch.identity_loss(
            4 * soft + .5 * F.cross_entropy(scores, labels), "none")


@program("distillation", "teacher without gradients, KL")
def distil():
    model = Student()
    plain = copy.deepcopy(model)
    batches = [(words, torch.randint(5, (8,))) for words, in text(4, 8)]
    trainer = poptorch.trainingModel(model, options(), torch.optim.SGD(
        model.student.parameters(), lr=.1))
    got = torch.stack([last(trainer(*batch)).reshape(()) for batch in
                       batches])
    reference = Plain(plain, torch.optim.SGD(plain.student.parameters(),
                                             lr=.1))
    return [(got, torch.cat([reference(*batch) for batch in batches])),
            (weights(model), weights(plain))]
