"""Programs with images."""
import copy

import poptorch
import torch
import torch.nn as nn
import torch.nn.functional as F
from poptorch_plain import (Plain, adamw, last, learn, opts_of, options,
                            program, sgd, weights)


class WithLoss(nn.Module):
    """A network and its loss."""

    def __init__(self, network, loss=None):
        super().__init__()
        self.network, self.loss = network, loss or nn.CrossEntropyLoss()

    def forward(self, x, labels=None):
        out = self.network(x)
        return out if labels is None else (out, self.loss(out, labels))


def pictures(count, batch, size=8, channels=3, classes=10):
    """Batches of noise with labels."""
    return [(torch.randn(batch, channels, size, size),
             torch.randint(classes, (batch,))) for _ in range(count)]


@program("LeNet", "loader, deviceIterations 4, momentum")
def lenet():
    model = WithLoss(nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(6, 12, 3),
        nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(48, 10)))
    plain = copy.deepcopy(model)
    opts = opts_of(4)
    data = torch.utils.data.TensorDataset(
        torch.randn(64, 1, 14, 14), torch.randint(10, (64,)))
    loader = poptorch.DataLoader(opts, data, batch_size=8)
    trainer = poptorch.trainingModel(model, opts, torch.optim.SGD(
        model.parameters(), lr=.05, momentum=.9))
    got = torch.cat([trainer(*batch)[1] for _ in range(2)
                     for batch in loader])
    tester = poptorch.inferenceModel(model.eval(), opts)
    tested = torch.cat([tester(x) for x, _ in loader])
    reference = Plain(plain, torch.optim.SGD(plain.parameters(), lr=.05,
                                             momentum=.9))
    wanted = torch.cat([reference(*batch) for _ in range(2) for batch in
                        torch.utils.data.DataLoader(data, batch_size=8)])
    return [(got, wanted), (tested, plain(data.tensors[0]))]


class Residual(nn.Module):
    """Two convolutions beside the identity."""

    def __init__(self, width, norm):
        super().__init__()
        self.one, self.two = (nn.Conv2d(width, width, 3, padding=1,
                                        bias=False) for _ in range(2))
        self.norm_one, self.norm_two = norm(width), norm(width)

    def forward(self, x):
        y = F.relu(self.norm_one(self.one(x)))
        return F.relu(x + self.norm_two(self.two(y)))


def resnet(norm, width=8):
    """A small one."""
    return WithLoss(nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1), norm(width), nn.ReLU(),
        Residual(width, norm), nn.MaxPool2d(2), Residual(width, norm),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10)))


@program("ResNet, BatchNorm", "16 replicas, accumulation 2")
def resnet_replicas():
    # With 4 samples each, one value before a relu is so near 0 that PyTorch
    # itself decides otherwise without oneDNN.
    return learn(resnet(nn.BatchNorm2d), pictures(3, 16 * 2 * 5),
                 *sgd(momentum=.9, use_combined_accum=False),
                 opts_of(1, 2, 16))


@program("ResNet, half", "4 replicas, loss scaling, GroupNorm", 5e-3)
def resnet_half():
    return learn(resnet(lambda width: nn.GroupNorm(4, width)).half(),
                 pictures(4, 4 * 2 * 4),
                 *sgd(momentum=.9, loss_scaling=128.,
                      use_combined_accum=False), opts_of(1, 2, 4))


class Patches(nn.Module):
    """A vision transformer."""

    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 32, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 32))
        self.position = nn.Parameter(torch.randn(1, 17, 32) * .02)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(
            32, 4, 64, dropout=0., activation="gelu", batch_first=True,
            norm_first=True), 2, enable_nested_tensor=False)
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 10)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)
        return self.head(self.norm(self.encoder(x + self.position))[:, 0])


@program("ViT", "setOptimizer, label smoothing")
def vit():
    model = WithLoss(Patches(), nn.CrossEntropyLoss(label_smoothing=.1))
    plain = copy.deepcopy(model)
    found = []
    for each, module in ((model, poptorch.optim), (plain, torch.optim)):
        optimizer = module.AdamW(each.parameters(), lr=1e-3, eps=1e-5)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 6)
        trainer = Plain(each, optimizer) if each is plain else \
            poptorch.trainingModel(each, options(), optimizer)
        torch.manual_seed(4)
        losses = []
        for batch in pictures(6, 8, 16):
            losses.append(last(trainer(*batch)).reshape(-1))
            schedule.step()
            if each is model:
                trainer.setOptimizer(optimizer)
        found.append((torch.cat(losses), weights(each)))
    return zip(*found)


def double(narrow, wide):
    """Two convolutions."""
    return nn.Sequential(nn.Conv2d(narrow, wide, 3, padding=1), nn.ReLU(),
                         nn.Conv2d(wide, wide, 3, padding=1), nn.ReLU())


class UNet(nn.Module):
    """Down, up, and across; the loss is of two parts."""

    def __init__(self):
        super().__init__()
        self.down, self.middle = double(1, 8), double(8, 16)
        self.up, self.last = nn.ConvTranspose2d(16, 8, 2, 2), double(16, 8)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x, mask):
        with poptorch.Block("down", ipu_id=0):
            across = self.down(x)
            low = self.middle(F.max_pool2d(across, 2))
        with poptorch.Block("up", ipu_id=1):
            y = self.out(self.last(torch.cat([across, self.up(low)], 1)))
            chance = y.sigmoid()
            dice = 1 - (2 * (chance * mask).sum() + 1) / (
                chance.sum() + mask.sum() + 1)
            loss = F.binary_cross_entropy_with_logits(y, mask) + dice
            return chance, poptorch.identity_loss(loss, reduction="none")


@program("U-Net", "pipeline of 2 IPUs, BCE and dice")
def unet():
    batches = [(torch.randn(8, 1, 16, 16),
                (torch.rand(8, 1, 16, 16) > .5).float()) for _ in range(4)]
    return learn(UNet(), batches, *adamw(), opts_of(1, 4))


class Variational(nn.Module):
    """An autoencoder that draws."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(64, 32), nn.Tanh())
        self.mean, self.spread = nn.Linear(32, 4), nn.Linear(32, 4)
        self.decode = nn.Sequential(nn.Linear(4, 32), nn.Tanh(),
                                    nn.Linear(32, 64), nn.Sigmoid())

    def forward(self, x):
        hidden = self.encode(x)
        mean, spread = self.mean(hidden), self.spread(hidden)
        z = mean + torch.randn_like(spread) * (spread / 2).exp()
        y = self.decode(z)
        apart = -.5 * (1 + spread - mean ** 2 - spread.exp()).sum(1).mean()
        near = F.binary_cross_entropy(y, x, reduction="sum") / x.shape[0]
        return y, poptorch.identity_loss(near + apart, "none")


@program("VAE", "random numbers of the device, KL")
def vae():
    model = Variational()
    plain, data = copy.deepcopy(model), torch.rand(5, 16, 64)
    trainer = poptorch.trainingModel(model, opts_of(randomSeed=3),
                                     torch.optim.Adam(model.parameters()))
    got = torch.stack([trainer(x)[1].reshape(()) for x in data])
    torch.manual_seed(3)
    reference = Plain(plain, torch.optim.Adam(plain.parameters()))
    return [(got, torch.cat([reference(x) for x in data])),
            (weights(model), weights(plain))]


class Fooling(nn.Module):
    """A generator that learns from a critic, which does not change."""

    def __init__(self, generator, critic):
        super().__init__()
        self.generator, self.critic = generator, critic
        for each in critic.parameters():
            each.requires_grad_(False)

    def forward(self, noise):
        y = self.critic(self.generator(noise))
        return F.binary_cross_entropy_with_logits(y, torch.ones_like(y))


def play(rounds, generator, critic, executors):
    """Let both train in turn; the losses of both."""
    draw, judge, fool, update = executors(generator, critic)
    losses = []
    for real, noise in rounds:
        fake = draw(noise).detach()
        losses.append(judge(torch.cat([real, fake]), torch.cat([
            torch.ones(len(real), 1), torch.zeros(len(fake), 1)])))
        update()
        losses.append(fool(noise))
        update()
    return torch.stack([last(each).reshape(()) for each in losses])


def in_turn_on_ipu(generator, critic):
    """Executors: a copy of the critic is a part of the generator's."""
    copied = copy.deepcopy(critic)
    judge_of = WithLoss(critic, nn.BCEWithLogitsLoss())
    judge = poptorch.trainingModel(judge_of, options(), torch.optim.Adam(
        critic.parameters(), lr=.01))
    fool = poptorch.trainingModel(Fooling(generator, copied), options(),
                                  torch.optim.Adam(generator.parameters(),
                                                   lr=.01))
    draw = poptorch.inferenceModel(generator, options())

    def update():
        """The generator is part of another model than the one in draw: no
        executor hears of the other's weights by itself."""
        judge.copyWeightsToHost()
        if fool.isCompiled():
            fool.copyWeightsToHost()
            draw.copyWeightsToDevice()
        copied.load_state_dict(critic.state_dict())
        if fool.isCompiled():
            fool.copyWeightsToDevice()
    return draw, judge, fool, update


def in_turn(generator, critic):
    """The same in PyTorch."""
    copied = copy.deepcopy(critic)
    return generator, Plain(
        WithLoss(critic, nn.BCEWithLogitsLoss()),
        torch.optim.Adam(critic.parameters(), lr=.01)), Plain(
            Fooling(generator, copied), torch.optim.Adam(
                generator.parameters(), lr=.01)), lambda: \
        copied.load_state_dict(critic.state_dict())


@program("GAN", "two trainings in turn, weights exchanged")
def gan():
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
    critic = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(.2),
                           nn.Linear(16, 1))
    plain = copy.deepcopy((generator, critic))
    rounds = [(torch.randn(8, 8) + 2, torch.randn(8, 4)) for _ in range(6)]
    return [(play(rounds, generator, critic, in_turn_on_ipu),
             play(rounds, *plain, in_turn)),
            (weights(generator), weights(plain[0]))]


class Inverted(nn.Module):
    """A block of an EfficientNet."""

    def __init__(self, width, inner):
        super().__init__()
        self.expand = nn.Sequential(
            nn.Conv2d(width, inner, 1, bias=False), nn.BatchNorm2d(inner),
            nn.SiLU(), nn.Conv2d(inner, inner, 3, padding=1, groups=inner,
                                 bias=False), nn.BatchNorm2d(inner),
            nn.SiLU())
        self.squeeze = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, 4, 1), nn.SiLU(),
            nn.Conv2d(4, inner, 1), nn.Sigmoid())
        self.project = nn.Sequential(
            nn.Conv2d(inner, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        y = self.expand(x)
        return x + self.project(y * self.squeeze(y))


@program("EfficientNet", "depthwise, RMSprop, averaged weights")
def efficientnet():
    model = WithLoss(nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1), Inverted(8, 24),
        Inverted(8, 24), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(8, 10)))
    plain, batches = copy.deepcopy(model), pictures(4, 16)
    found = []
    for each in (model, plain):
        optimizer = torch.optim.RMSprop(each.parameters(), lr=1e-3,
                                        alpha=.9, momentum=.9, eps=1e-3)
        trainer = Plain(each, optimizer) if each is plain else \
            poptorch.trainingModel(each, opts_of(), optimizer)
        average, losses = weights(each), []
        for batch in batches:
            losses.append(last(trainer(*batch)).reshape(()))
            average = .9 * average + .1 * weights(each)
        found.append((torch.stack(losses), average))
    return zip(*found)


class Mixing(nn.Module):
    """A layer of an MLP-Mixer."""

    def __init__(self, tokens, width):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.across, self.along = (
            nn.Sequential(nn.Linear(each, 2 * each), nn.GELU(),
                          nn.Linear(2 * each, each))
            for each in (tokens, width))

    def forward(self, x):
        x = x + self.across(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        return x + self.along(self.norms[1](x))


@program("MLP-Mixer", "groups of weights, clipped gradients")
def mixer():
    model = WithLoss(nn.Sequential(
        nn.Conv2d(3, 16, 4, stride=4), nn.Flatten(2), Mixing(16, 16),
        Mixing(16, 16), nn.Flatten(), nn.Linear(256, 10)))
    plain, batches = copy.deepcopy(model), pictures(5, 8, 16)

    def groups(each):
        named = list(each.named_parameters())
        return [{"params": [v for n, v in named if v.dim() > 1]},
                {"params": [v for n, v in named if v.dim() < 2],
                 "weight_decay": 0.}]
    trainer = poptorch.trainingModel(model, options(), poptorch.optim.AdamW(
        groups(model), lr=1e-3, weight_decay=.1, max_grad_norm=.5))
    got = torch.stack([trainer(*batch)[1].reshape(()) for batch in batches])

    class Clipping(torch.optim.AdamW):
        def step(self):
            nn.utils.clip_grad_norm_(plain.parameters(), .5)
            return super().step()
    reference = Plain(plain, Clipping(groups(plain), lr=1e-3,
                                      weight_decay=.1))
    return [(got, torch.cat([reference(*batch) for batch in batches])),
            (weights(model), weights(plain))]


class Denoiser(nn.Module):
    """Predicts the noise at a time."""

    def __init__(self):
        super().__init__()
        self.register_buffer("share", torch.linspace(.99, .01, 50).cumprod(0))
        self.time, self.into = nn.Embedding(50, 16), nn.Conv2d(1, 16, 3,
                                                               padding=1)
        self.norm, self.out = nn.GroupNorm(4, 16), nn.Conv2d(16, 1, 3,
                                                             padding=1)

    def forward(self, x, noise, time):
        share = self.share[time][:, None, None, None]
        mixed = share.sqrt() * x + (1 - share).sqrt() * noise
        y = self.norm(self.into(mixed)) + self.time(time)[..., None, None]
        return F.mse_loss(self.out(F.silu(y)), noise)


@program("diffusion", "buffer as a table, 2 replicas")
def diffusion():
    batches = [(torch.randn(16, 1, 8, 8), torch.randn(16, 1, 8, 8),
                torch.randint(50, (16,))) for _ in range(4)]
    return learn(Denoiser(), batches, *adamw(), opts_of(2, 1, 2))


@program("super-resolution", "PixelShuffle, L1, sharded on 2 IPUs")
def larger():
    network = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.PReLU(),
                            nn.Conv2d(16, 4, 3, padding=1),
                            nn.PixelShuffle(2))
    poptorch.BeginBlock(network[2], "second", ipu_id=1)
    opts = opts_of()
    opts.setExecutionStrategy(poptorch.ShardedExecution())
    batches = [(torch.rand(4, 1, 8, 8), torch.rand(4, 1, 16, 16))
               for _ in range(4)]
    return learn(WithLoss(network, nn.L1Loss()), batches, *adamw(), opts)


@program("transfer learning", "frozen backbone in eval mode")
def transfer():
    backbone = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(),
                             nn.AdaptiveAvgPool2d(1), nn.Flatten()).eval()
    for each in backbone.parameters():
        each.requires_grad_(False)
    model = WithLoss(nn.Sequential(backbone, nn.Linear(8, 10)))
    opts = opts_of()
    plain, batches = copy.deepcopy(model), pictures(4, 8)
    trainer = poptorch.trainingModel(model, opts, torch.optim.SGD(
        model.network[1].parameters(), lr=.1))
    got = torch.cat([trainer(*batch)[1].reshape(-1) for batch in batches])
    reference = Plain(plain, torch.optim.SGD(
        plain.network[1].parameters(), lr=.1))
    return [(got, torch.cat([reference(*batch) for batch in batches])),
            (weights(model), weights(plain))]
