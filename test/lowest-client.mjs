// Imports and requires the packed client on the lowest Node that it promises, and calls a server with both.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

assert.equal(process.versions.node.split('.')[0], '20');
const entry = '../dist/client';
const imported = await import(`${entry}/esm/index.js`);
const required = createRequire(import.meta.url)(`${entry}/cjs/index.js`);
const server = createServer((request, response) => {
  response.writeHead(404, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ code: 'not_found', request_id: request.url }));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
for (const { ApiError, createClient } of [imported, required])
  await assert.rejects(createClient(url).users.getMe(), (error) => {
    assert(error instanceof ApiError);
    assert.deepEqual([error.code, error.requestId], ['not_found', '/users/me']);
    return true;
  });
server.close();
console.log(`Node ${process.versions.node}: the client is imported and required.`);
