export const landingLink = {
  url: 'https://service.example/?utm_campaign=spring&utm_medium=partner_api',
};
