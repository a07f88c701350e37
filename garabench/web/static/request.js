// Requests of the pages to their own server. `send` adds the token that writes need.

const token = document.querySelector('meta[name="garabench-token"]')?.content ?? "";

async function answer(response) {
  const data = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(data.error ?? `the server answered ${response.status}`);
  return data;
}

/** Fetch JSON. */
export async function load(address, options = {}) {
  return answer(await fetch(address, { ...options, headers: { Accept: "application/json" } }));
}

/** Send JSON with the token, and return the JSON of the answer. */
export async function send(address, body, method = "POST") {
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    "X-GaraBench-Token": token,
  };
  return answer(await fetch(address, { method, headers, body: JSON.stringify(body) }));
}
