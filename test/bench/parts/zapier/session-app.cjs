/** The least that an app with session auth and one search can be: bare z.request, no checks. */
const addToken = (request, _z, bundle) => {
  request.headers.Authorization = `Bearer ${bundle.authData.access_token}`;
  return request;
};

const startSession = async (z, bundle) => {
  const { client_id, client_secret, base_url } = bundle.authData;
  const url = `${base_url}/oauth/token`;
  const response = await z.request({ url, method: 'POST', body: { client_id, client_secret } });
  return { access_token: response.data.access_token };
};

const findUser = async (z, bundle) => {
  const { email } = bundle.inputData;
  const response = await z.request({
    url: `${bundle.authData.base_url}/users/lookup`,
    params: { email },
  });
  return [{ id: email, ...response.data }];
};

module.exports = {
  version: '1.0.0',
  platformVersion: require('zapier-platform-core').version,
  authentication: {
    type: 'session',
    fields: [
      { key: 'base_url', required: true },
      { key: 'client_id', required: true },
      { key: 'client_secret', required: true, type: 'password' },
    ],
    sessionConfig: { perform: startSession },
    test: async () => ({}),
  },
  beforeRequest: [addToken],
  searches: {
    user: {
      key: 'user',
      noun: 'User',
      display: { label: 'Find User', description: 'Finds a user.' },
      operation: { inputFields: [{ key: 'email', required: true }], perform: findUser },
    },
  },
};
