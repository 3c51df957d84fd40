/**
 * QR codes (ISO/IEC 18004) of texts, in bytes, with error correction M. The secret of an authenticator app is drawn in
 * the page: no other service sees it.
 */

/** By version, from 1: codewords of error correction in a block, and blocks. */
const correction = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
];
const blocks = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26,
  28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
];
const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

/** Codewords that a version has, of data and of error correction. */
function codewordsOf(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version > 1) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
    if (version > 6) modules -= 36;
  }
  return Math.floor(modules / 8);
}
const dataOf = (version: number): number =>
  codewordsOf(version) - at(correction, version - 1) * at(blocks, version - 1);

/**
 * The rows of a code: true where it is dark. It has no margin; a scanner needs four modules.
 * @throws RangeError for more than 2,331 bytes
 */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const lengthBits = (version: number) => (version < 10 ? 8 : 16);
  const version = blocks.findIndex(
    (_, index) => 4 + lengthBits(index + 1) + bytes.length * 8 <= dataOf(index + 1) * 8,
  );
  if (version < 0) throw new RangeError('The text is too long for a QR code.');
  return draw(version + 1, interleaved(version + 1, dataIn(bytes, version + 1, lengthBits)));
}

/** The bytes with their mode and length before them, and what fills up behind. */
function dataIn(bytes: Uint8Array, version: number, lengthBits: (version: number) => number) {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  push(4, 4);
  push(bytes.length, lengthBits(version));
  for (const byte of bytes) push(byte, 8);
  const room = dataOf(version) * 8;
  push(0, Math.min(4, room - bits.length));
  push(0, -bits.length & 7);
  for (let pad = 0xec; bits.length < room; pad ^= 0xfd) push(pad, 8);
  return Array.from({ length: room / 8 }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  );
}

/** A product in the field of 256 elements by x^8 + x^4 + x^3 + x^2 + 1. */
function times(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1)
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((y >> bit) & 1) * x);
  return product;
}

/** The data in blocks, each with its Reed-Solomon codewords, by turns. */
function interleaved(version: number, data: number[]): number[] {
  const [count, degree] = [at(blocks, version - 1), at(correction, version - 1)];
  const divisor = Array<number>(degree).fill(0);
  divisor[degree - 1] = 1;
  for (let step = 0, root = 1; step < degree; step += 1, root = times(root, 2))
    divisor.forEach((_, index) => {
      divisor[index] = times(at(divisor, index), root) ^ at(divisor, index + 1);
    });
  const total = codewordsOf(version);
  const short = Math.floor(total / count) - degree;
  const longer = total % count;
  const parts: { data: number[]; check: number[] }[] = [];
  for (let block = 0, from = 0; block < count; block += 1) {
    const length = short + (block < count - longer ? 0 : 1);
    const part = data.slice(from, (from += length));
    const check = Array<number>(degree).fill(0);
    for (const byte of part) {
      const factor = byte ^ (check.shift() ?? 0);
      check.push(0);
      divisor.forEach((each, index) => {
        check[index] = at(check, index) ^ times(each, factor);
      });
    }
    parts.push({ data: part, check });
  }
  const interleave = (length: number, of: 'data' | 'check') =>
    Array.from({ length }, (_, index) => parts.flatMap((part) => part[of][index] ?? [])).flat();
  return [...interleave(short + 1, 'data'), ...interleave(degree, 'check')];
}

/** Where the alignment patterns of a version are, on both axes. */
function alignmentOf(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [
    6,
    ...Array.from({ length: count - 1 }, (_, index) => size - 7 - (count - 2 - index) * step),
  ];
}

/** The remainder of an error-correcting code of ten or twelve bits behind a value. */
function withRemainder(value: number, degree: number, generator: number): number {
  let remainder = value;
  for (let step = 0; step < degree; step += 1)
    remainder = (remainder << 1) ^ ((remainder >> (degree - 1)) * generator);
  return (value << degree) | remainder;
}

const masks: ((x: number, y: number) => number)[] = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

function draw(version: number, codewords: number[]): boolean[][] {
  const size = version * 4 + 17;
  const grid = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    if (!grid[y] || !fixed[y] || x < 0 || x >= size) return;
    grid[y][x] = dark;
    fixed[y][x] = true;
  };
  const square = (x: number, y: number, reach: number) => {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [x = 0, y = 0] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    square(x, y, 4);
  const aligned = alignmentOf(version, size);
  for (const x of aligned)
    for (const y of aligned)
      if (!(x === 6 && y === 6) && !(x === 6 && y === size - 7) && !(x === size - 7 && y === 6))
        square(x, y, 2);
  const format = (mask: number) => {
    // Level M is 0.
    const bits = withRemainder(mask, 10, 0x537) ^ 0x5412;
    for (let index = 0; index < 15; index += 1) {
      const dark = ((bits >> index) & 1) === 1;
      if (index < 8) set(8, index < 6 ? index : index + 1, dark);
      else set(index === 8 ? 7 : 14 - index, 8, dark);
      if (index < 8) set(size - 1 - index, 8, dark);
      else set(8, size - 15 + index, dark);
    }
    set(8, size - 8, true);
  };
  format(0);
  if (version > 6) {
    const bits = withRemainder(version, 12, 0x1f25);
    for (let index = 0; index < 18; index += 1) {
      const dark = ((bits >> index) & 1) === 1;
      const [far, near] = [size - 11 + (index % 3), Math.floor(index / 3)];
      set(far, near, dark);
      set(near, far, dark);
    }
  }

  // Two columns at a time, from the right, upwards and downwards by turns.
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        const row = grid[y];
        if (!row || fixed[y]?.[x] || bit >= codewords.length * 8) continue;
        row[x] = ((at(codewords, bit >> 3) >> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
  }
  const masked = masks.map((isLight, mask) => {
    format(mask);
    return grid.map((row, y) =>
      row.map((dark, x) => (fixed[y]?.[x] ? dark : dark !== (isLight(x, y) === 0))),
    );
  });
  const [first = grid, ...others] = masked;
  return others.reduce((best, each) => (penalty(each) < penalty(best) ? each : best), first);
}

/** How hard a code is to scan: long runs, squares, patterns like a corner, and too much of one shade. */
function penalty(grid: boolean[][]): number {
  const size = grid.length;
  const text = (line: boolean[]) => line.map(Number).join('');
  const rows = grid.map(text);
  const columns = grid.map((_, x) => text(grid.map((row) => row[x] ?? false)));
  let sum = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    // Around the code it is light.
    const wide = `0000${line}0000`;
    sum += 40 * [...wide.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < size; y += 1)
    for (let x = 1; x < size; x += 1) {
      const four = `${rows[y]?.slice(x - 1, x + 1)}${rows[y - 1]?.slice(x - 1, x + 1)}`;
      if (four === '0000' || four === '1111') sum += 3;
    }
  const dark = rows.join('').replaceAll('0', '').length;
  return sum + 10 * (Math.ceil(Math.abs(dark * 20 - size * size * 10) / (size * size)) - 1);
}
