% SPDX-License-Identifier: BSD-3-Clause
% Transforms of one, two and three dimensions, both precisions, a prime length.
rand("state", 4711);
x = rand(512) + i * rand(512);
v = rand(96, 90, 100);
s = single(rand(1, 2^18));
for round = 1:10
  a = fft2(x); b = ifft2(a .* a); c = fftn(v); d = ifftn(c); e = fft(x); f = fft(s); g = fft(x, 1009);
endfor
printf("%.15g\n", norm(a), norm(b), norm(c(:)), norm(d(:)), norm(e), norm(g), real(a(3, 5)), imag(b(7, 9)), real(c(2, 3, 4)));
printf("%.7g\n", norm(f));
